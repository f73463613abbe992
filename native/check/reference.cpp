#include "reference.h"

#include <cmath>
#include <cstring>
#include <string>

#include "llama-model.h"

using numbers = std::vector<double>;

static numbers values_of(const ggml_tensor * tensor) {
    std::vector<float> data(ggml_nelements(tensor));
    ggml_backend_tensor_get(tensor, data.data(), 0, ggml_nbytes(tensor));
    return { data.begin(), data.end() };
}

numbers elements_of(const std::vector<uint8_t> & bytes, ggml_type type) {
    numbers result(bytes.size()/ggml_type_size(type));
    for (size_t i = 0; i < result.size(); ++i) {
        if (type == GGML_TYPE_F16) {
            ggml_fp16_t half;
            memcpy(&half, bytes.data() + i*sizeof(half), sizeof(half));
            result[i] = ggml_fp16_to_fp32(half);
        } else {
            float single;
            memcpy(&single, bytes.data() + i*sizeof(single), sizeof(single));
            result[i] = single;
        }
    }
    return result;
}

static double dot(const double * a, const double * b, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) {
        sum += a[i]*b[i];
    }
    return sum;
}

// One token through a model of the kind `full`: llama's layers, without biases, the output tied to the embeddings.
class plain_pass {
    public:
        explicit plain_pass(const subject & subject) :
            subject_(subject), cells(subject.base()->get_seq_cells(0)), position(subject.next() - 1) {}

        reference run(llama_token token) {
            const numbers embeddings = weight("token_embd");
            const size_t  width      = embeddings.size()/TINY_VOCABULARY;
            x.assign(embeddings.begin() + token*width, embeddings.begin() + (token + 1)*width);

            for (const uint32_t layer : subject_.base()->get_layer_ids()) {
                const std::string block = "blk." + std::to_string(layer) + ".";
                add(multiply(weight(block + "attn_output"), attention(layer, multiply(weight(block + "attn_q"), normed(block + "attn_norm")))));

                const numbers inner = normed(block + "ffn_norm");
                const numbers gate  = multiply(weight(block + "ffn_gate"), inner);
                numbers       up    = multiply(weight(block + "ffn_up"), inner);
                for (size_t i = 0; i < up.size(); ++i) {
                    up[i] *= gate[i]/(1.0 + std::exp(-gate[i]));
                }
                add(multiply(weight(block + "ffn_down"), up));
            }

            const numbers logits = multiply(embeddings, normed("output_norm"));
            result.logits.assign(logits.begin(), logits.end());
            return result;
        }

    private:
        const subject &       subject_;
        std::vector<uint32_t> cells; // of the sequence's tokens, in their order
        llama_pos             position;
        numbers               x;
        reference             result;

        numbers weight(const std::string & name) const {
            return values_of(subject_.model.model->get_tensor((name + ".weight").c_str()));
        }

        static numbers multiply(const numbers & matrix, const numbers & vector) {
            numbers product(matrix.size()/vector.size());
            for (size_t i = 0; i < product.size(); ++i) {
                product[i] = dot(matrix.data() + i*vector.size(), vector.data(), vector.size());
            }
            return product;
        }

        void add(const numbers & change) {
            for (size_t i = 0; i < x.size(); ++i) {
                x[i] += change[i];
            }
        }

        numbers normed(const std::string & name) const {
            const numbers scales = weight(name);
            const double  scale  = 1.0/std::sqrt(dot(x.data(), x.data(), x.size())/x.size() + 1e-5);
            numbers       values = x;
            for (size_t i = 0; i < values.size(); ++i) {
                values[i] *= scale*scales[i];
            }
            return values;
        }

        // RoPE over neighbouring pairs, as llama's
        void rotate(double * head, uint32_t size) const {
            for (uint32_t i = 0; i < size; i += 2) {
                const double angle = position*std::pow(10000.0, -static_cast<double>(i)/size);
                const double a = head[i];
                const double b = head[i + 1];
                head[i]     = a*std::cos(angle) - b*std::sin(angle);
                head[i + 1] = a*std::sin(angle) + b*std::cos(angle);
            }
        }

        numbers attention(uint32_t layer, numbers query) {
            result.queries.push_back(query);

            const uint32_t size   = subject_.model.head_dim;
            const auto     keys   = subject_.rows(*subject_.base(), layer, false);
            const auto     values = subject_.rows(*subject_.base(), layer, true);
            const uint32_t group  = TINY_HEADS/TINY_KV_HEADS;

            numbers out(TINY_HEADS*size, 0.0);
            for (uint32_t kv = 0; kv < TINY_KV_HEADS; ++kv) {
                std::vector<float> mean(cells.size(), 0.0f);
                for (uint32_t h = kv*group; h < (kv + 1)*group; ++h) {
                    rotate(query.data() + h*size, size);

                    numbers weights(cells.size(), 0.0);
                    double  sum = 0.0;
                    for (size_t t = 0; t < cells.size(); ++t) {
                        if (keys.has(cells[t])) {
                            weights[t] = std::exp(dot(query.data() + h*size, elements_of(keys.get(kv, cells[t]), subject_.made.type_k).data(), size)/std::sqrt(size));
                            sum += weights[t];
                        }
                    }
                    for (size_t t = 0; t < cells.size(); ++t) {
                        if (!keys.has(cells[t])) {
                            mean[t] = -1.0f;
                            continue;
                        }
                        const double  weight = weights[t]/sum;
                        const numbers value  = elements_of(values.get(kv, cells[t]), subject_.made.type_v);
                        mean[t] += static_cast<float>(weight/group);
                        for (uint32_t e = 0; e < size; ++e) {
                            out[h*size + e] += weight*value[e];
                        }
                    }
                }
                result.probabilities.push_back(mean);
            }
            return out;
        }
};

reference compute_reference(const subject & subject, llama_token token) {
    return plain_pass(subject).run(token);
}

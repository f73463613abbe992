#include "longsight.h"

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

#ifdef __linux__
#include <pthread.h>
#endif

namespace {

class compute_thread {
    public:
        compute_thread() {
            std::thread([this]() {
#ifdef __linux__
                // its team of threads inherits the name
                pthread_setname_np(pthread_self(), "longsight-ggml");
#endif
                for (;;) {
                    next()();
                }
            }).detach();
        }

        // Waits for its end; what it throws is thrown here.
        void run(std::function<void()> work) {
            std::packaged_task<void()> task(std::move(work));
            auto done = task.get_future();
            {
                std::lock_guard<std::mutex> lock(mutex);
                tasks.push_back(std::move(task));
            }
            waiting.notify_one();
            done.get();
        }

    private:
        std::packaged_task<void()> next() {
            std::unique_lock<std::mutex> lock(mutex);
            waiting.wait(lock, [this]() { return !tasks.empty(); });
            auto task = std::move(tasks.front());
            tasks.pop_front();
            return task;
        }

        std::mutex mutex;
        std::condition_variable waiting;
        std::deque<std::packaged_task<void()>> tasks;
};

} // namespace

void longsight_compute(std::function<void()> work) {
    // Never destroyed: its thread lives until the process ends.
    static auto * thread = new compute_thread();
    thread->run(std::move(work));
}
